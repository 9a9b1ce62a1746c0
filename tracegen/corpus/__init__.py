"""Corpora on disk: read, write, describe."""

from tracegen.corpus.read import read
from tracegen.corpus.statistics import CorpusStatistics, Statistics, measure_corpus

__all__ = ["CorpusStatistics", "Statistics", "measure_corpus", "read"]
