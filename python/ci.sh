#!/usr/bin/env bash
# The Python package as its users get it: builds the wheel, installs it into an empty environment, runs its tests.
# Needs Python 3.10 or later and the built JavaScript (`npm run build`); the Spark tests need Java 17. SPARK=3.5 runs them
# against Spark 3.5, which needs Python 3.11 or earlier.
set -euo pipefail
cd "$(dirname "$0")"
python="${PYTHON:-python3}"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT

"$python" -c 'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or later is needed"'
"$python" -m venv "$place/build" || { echo 'python3-venv is missing: apt-get install python3-venv' >&2; exit 1; }
"$place/build/bin/pip" install --quiet --disable-pip-version-check hatchling build
"$place/build/bin/python" -m build --quiet --wheel --no-isolation --outdir "$place/dist" . >/dev/null

"$python" -m venv "$place/venv"
pip=("$place/venv/bin/pip" install --quiet --disable-pip-version-check)
wheel="$(echo "$place"/dist/curvad-*.whl)"
"${pip[@]}" "${wheel}[test]"
if command -v java >/dev/null; then
  "${pip[@]}" "pyspark==${SPARK:-4}.*"
else
  echo 'The Spark tests will be skipped: there is no java (install a JRE of version 17).'
fi

# Types, where the package's own dependencies are.
"${pip[@]}" mypy
"$place/venv/bin/mypy" --cache-dir "$place/mypy"

# From another folder, so that nothing but the wheel is found.
cp -r tests README.md "$place"
cd "$place"
venv/bin/python -m pytest -q -W ignore::UserWarning --junit-xml=results.xml tests
venv/bin/python - "$SECONDS" <<'END'
import sys
import xml.etree.ElementTree as xml
from importlib.metadata import PackageNotFoundError, version

total = xml.parse("results.xml").getroot().find("testsuite").attrib
try:
    spark = f"Spark {version('pyspark')}"
except PackageNotFoundError:
    spark = "no Spark"
passed = int(total["tests"]) - int(total["skipped"])
print(f"python/ci.sh: {passed} tests passed, {total['skipped']} skipped, types checked, with {spark}, in {sys.argv[1]} s")
END
