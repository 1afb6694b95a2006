"""The list of mutants is true: what each takes away stands where it says, and so does the test that is to notice."""

import re

import pytest
from mutants import ROOT, mutants

THREATS = ROOT / "docs" / "SECURITY.md"


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.what)
def test_what_a_mutant_takes_away_and_its_test_are_there(mutant):
    without = mutant.of((ROOT / mutant.file).read_text())
    if mutant.file.endswith(".py"):
        compile(without, mutant.file, "exec")
    file, _, name = mutant.test.partition("::")
    assert f"def {name.partition('[')[0]}(" in (ROOT / "tests" / file).read_text()


def test_every_row_of_the_security_document_names_tests_and_each_has_a_mutant():
    tests = "\n".join(mutant.test for mutant in mutants())
    rows = [row.split(" | ") for row in THREATS.read_text().splitlines() if row.startswith("| ")][1:]
    assert rows
    for threat, *_, last in rows:
        named = re.findall("`(.*?)`", last)
        assert [name for name in named if not name.endswith(".py")], f"{threat}: a file alone is no test"
        found = [name for name in named if re.search(re.escape(name).replace("…", ".*"), tests)]
        assert found == named, threat
