"""What the values of every kind and locale must hold, counted over thousands of them."""
