"""Run the command line as `python -m tracegen`."""

from tracegen.cli import main

if __name__ == "__main__":
    main()
