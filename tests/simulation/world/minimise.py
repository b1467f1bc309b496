"""The least of a world that still goes wrong in the same way."""

from collections.abc import Iterator
from dataclasses import replace

from tests.simulation.world.faults import ALL
from tests.simulation.world.world import Outcome, Plan, run


def minimised(plan: Plan, which: str) -> Plan:
    """A plan with fewer steps, people and faults, after which the same thing is broken."""
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for smaller in _smaller(plan):
            if _breaks(smaller, which):
                plan, is_smaller = smaller, True
                break
    return plan


def _breaks(plan: Plan, which: str) -> bool:
    broken = run(plan).broken
    return broken is not None and broken.which == which


def _smaller(plan: Plan) -> Iterator[Plan]:
    for kind in sorted(plan.kinds):
        yield replace(plan, kinds=plan.kinds - {kind})
    outcome = run(plan)
    used = min(plan.steps, outcome.asked)
    for steps in (used // 2, used * 3 // 4, used * 9 // 10, used - 1):
        if 0 < steps < plan.steps:
            yield replace(plan, steps=steps)
    if plan.people is None or plan.people > 1:
        for people in (1, 2, 3):
            if plan.people is None or people < plan.people:
                yield replace(plan, people=people)
    for one in outcome.happened:
        yield replace(plan, skipped=plan.skipped | {one})


def script(plan: Plan) -> str:
    """How to see it again, and what happens."""
    outcome: Outcome = run(plan, keep=1)
    told = [line for line in outcome.trace if " GET " not in line or "BROKEN" in line]
    faults = "all" if plan.kinds == ALL else ",".join(sorted(plan.kinds)) or "none"
    skipped = ",".join(f"{kind}:{number}" for kind, number in sorted(plan.skipped))
    command = f"python -m tests.simulation.world --seed {plan.seed} --steps {plan.steps} --faults {faults}"
    command += f" --people {plan.people}" if plan.people else ""
    command += f" --skip {skipped}" if skipped else ""
    return "\n".join([command, *told])
