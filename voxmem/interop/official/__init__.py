"""The published dataset's layout: 20 configs of Parquet rows, a row an item with its history."""
