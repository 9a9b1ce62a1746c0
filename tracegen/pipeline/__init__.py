"""The way from templates to a corpus: plan, assemble, gate, write."""
