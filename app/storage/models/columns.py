"""Columns that all tables use."""

from sqlalchemy import BigInteger, Integer

Id = BigInteger().with_variant(Integer, "sqlite")
