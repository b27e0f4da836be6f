"""Millions of messages under one policy or two: read shard by shard, decided here or on Dask, kept as Parquet."""
