"""Studies that are made to end the server. Each of these came again with every start."""

# The first point of Rng(0), by which a space shows that its constraints can be satisfied.
FIRST = 0.8833108082136426


def make(site, name, **spec):
    site.count += 1
    made = site.mallory.make("/api/v1/studies", {
        "name": f"{name}-{site.count}", "projectId": str(site.projects["one"]),
        "spec": {"objectives": [{"metric": "loss"}], "maxTrials": 20, **spec}})
    return f"/api/v1/studies/{made['id']}/trials"


def next_trial(site, trials):
    status, answer = site.mallory.ask("POST", trials, {})
    assert status == 201, f"{status} {answer}"
    return answer


def attempt_search_where_nothing_is_found(site):
    """The first suggestion measured the best trial again, and there was none: a division by zero."""
    trials = make(site, "narrow", sampler="random", seed=7,
                  parameters=[{"name": "x", "low": 0, "high": 1}],
                  constraints=[f"x > {FIRST - 1e-9:.17f}", f"x < {FIRST + 1e-9:.17f}"])
    assert abs(next_trial(site, trials)["parameters"]["x"] - FIRST) < 1e-9


def attempt_continue_a_trial_outside_of_its_space(site):
    """Levels beside a large bound were none of their space, and a successor that cannot begin was a bug."""
    trials = make(site, "fine", sampler="random", seed=7,
                  parameters=[{"name": "x", "low": 1000, "high": 1000.1, "step": 1e-9}],
                  pruner={"type": "asha", "minSteps": 1, "maxSteps": 9, "reduction": 3,
                          "promote": True})
    for number in range(3):
        next_trial(site, trials)
        status, answer = site.mallory.ask("POST", f"{trials}/{number}/reports",
                                          {"step": 1, "value": number})
        assert status == 200, f"{status} {answer}"
        status, answer = site.mallory.ask("POST", f"{trials}/{number}/tell", {"state": "Pruned"})
        assert status in (200, 204), f"{status} {answer}"
    assert next_trial(site, trials)["resumesFrom"] == 0
    status, answer = site.mallory.ask("POST", "/api/v1/studies", {
        "name": "wide", "projectId": str(site.projects["one"]),
        "spec": {"objectives": [{"metric": "loss"}],
                 "parameters": [{"name": "x", "low": -1.7e308, "high": 1.7e308}]}})
    assert status == 400 and "too far apart" in str(answer), f"{status} {answer}"
