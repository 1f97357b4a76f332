"""The plug-in's own tests run pytest inside of pytest."""
pytest_plugins = ["pytester"]
