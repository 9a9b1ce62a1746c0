"""Made values: everything a placeholder can stand for."""
