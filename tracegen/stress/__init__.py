"""Find the lengths, depths and window edges at which a detector fails."""
