#!/bin/sh
# Puts the official test suite of JSON Schema into the directory that is given: the source package of
# Python's jsonschema has it.
set -eu
cd "$1"
pip download --quiet --no-deps --no-binary jsonschema jsonschema==4.21.1
tar -xzf jsonschema-4.21.1.tar.gz jsonschema-4.21.1/json
rm jsonschema-4.21.1.tar.gz
mv jsonschema-4.21.1/json suite
rmdir jsonschema-4.21.1
