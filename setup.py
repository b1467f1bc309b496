"""What pyproject.toml cannot say: the folders beside `app/` are inside it once Snug is installed. What a folder holds,
code or not, belongs to it, so that a new game or page needs no line here."""

from setuptools import find_namespace_packages, setup

BESIDE = ("migrations", "starter", "static", "templates")


def packages_of(folder: str) -> list[str]:
    """The folder and every folder in it."""
    return find_namespace_packages(include=[folder, f"{folder}.*"], exclude=["*.__pycache__"])


setup(
    packages=[
        *packages_of("snug"),
        *packages_of("app"),
        *(f"app.{package}" for folder in BESIDE for package in packages_of(folder)),
    ],
    package_dir={f"app.{folder}": folder for folder in BESIDE},
    package_data={"": ["*"]},
)
