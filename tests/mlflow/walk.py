"""What an unmodified MLflow client does in a day of research; run by tests/mlflow/run with the
client of one version. Prints `ok NAME` or `not ok NAME reason` for each function.

The address and the token of an ordinary project member are in MLflow's own variables.
"""

import math
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
from yard import report  # noqa: E402

import mlflow  # noqa: E402
from mlflow.entities import Metric, Param, RunTag, ViewType  # noqa: E402
from mlflow.exceptions import MlflowException  # noqa: E402
from mlflow.tracking import MlflowClient  # noqa: E402

MAJOR = int(mlflow.__version__.split(".")[0])


def refused(code, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except MlflowException as error:
        assert error.error_code == code, f"{error.error_code}: {error}"
        return str(error)
    raise AssertionError(f"was not refused with {code}")


def fresh(name):
    return MlflowClient().create_experiment(f"{name}-{MAJOR}-{time.time_ns()}")


def a_run_without_an_experiment_goes_to_the_default_one():
    with mlflow.start_run() as run:
        mlflow.log_param("lr", 0.1)
        mlflow.log_metric("loss", 0.5)
    stored = mlflow.get_run(run.info.run_id)
    assert stored.data.params == {"lr": "0.1"} and stored.data.metrics == {"loss": 0.5}, stored
    assert stored.info.status == "FINISHED" and stored.info.end_time >= stored.info.start_time
    assert mlflow.get_experiment(run.info.experiment_id).name == "Default"
    assert mlflow.get_experiment_by_name("Default").experiment_id == run.info.experiment_id


def experiments_are_made_found_renamed_deleted_and_restored():
    client = MlflowClient()
    name = f"cats-{MAJOR}-{time.time_ns()}"
    made = mlflow.set_experiment(name)
    assert client.get_experiment_by_name(name).experiment_id == made.experiment_id
    assert client.get_experiment_by_name("nobody has this") is None
    refused("RESOURCE_ALREADY_EXISTS", client.create_experiment, name)
    client.set_experiment_tag(made.experiment_id, "team", "vision")
    found = client.search_experiments(filter_string=f"name LIKE '{name[:12]}%' AND tags.team = 'vision'")
    assert made.experiment_id in [one.experiment_id for one in found], found
    client.rename_experiment(made.experiment_id, name + "-2")
    assert client.get_experiment(made.experiment_id).name == name + "-2"
    client.delete_experiment(made.experiment_id)
    assert client.get_experiment(made.experiment_id).lifecycle_stage == "deleted"
    refused("INVALID_PARAMETER_VALUE", client.create_run, made.experiment_id)
    client.restore_experiment(made.experiment_id)
    assert client.get_experiment(made.experiment_id).lifecycle_stage == "active"


def histories_come_back_whole_and_in_pages():
    client = MlflowClient()
    run = client.create_run(fresh("history")).info.run_id
    now = int(time.time() * 1000)
    for start in range(0, 30_000, 1000):
        client.log_batch(run, metrics=[Metric("loss", 1 / (step + 1), now + step, step)
                                       for step in range(start, start + 1000)])
    history = client.get_metric_history(run, "loss")
    assert [point.step for point in history] == list(range(30_000)), len(history)
    assert history[-1].value == 1 / 30_000 and history[7].timestamp == now + 7
    assert client.get_run(run).data.metrics["loss"] == 1 / 30_000


def odd_numbers_and_steps_survive():
    client = MlflowClient()
    run = client.create_run(fresh("odd")).info.run_id
    for step, value in [(-3, math.nan), (0, math.inf), (2**63 - 1, -math.inf), (5, 1.5), (5, 1.5)]:
        client.log_metric(run, "x", value, timestamp=1000, step=step)
    history = client.get_metric_history(run, "x")
    assert [point.step for point in history] == [-3, 0, 5, 2**63 - 1], history
    assert math.isnan(history[0].value) and history[1].value == math.inf, history
    assert client.get_run(run).data.metrics["x"] == -math.inf


def parameters_are_written_once_and_tags_often():
    client = MlflowClient()
    run = client.create_run(fresh("params")).info.run_id
    client.log_batch(run, params=[Param("depth", "4"), Param("lr", "0.1")],
                     tags=[RunTag("stage", "one")])
    client.log_param(run, "depth", 4)
    refused("INVALID_PARAMETER_VALUE", client.log_param, run, "depth", 5)
    client.set_tag(run, "stage", "two")
    client.set_tag(run, "größe", "grüße")
    client.delete_tag(run, "größe")
    client.update_run(run, status="FAILED", name="night owl")
    stored = client.get_run(run)
    assert stored.data.params == {"depth": "4", "lr": "0.1"}, stored.data.params
    assert stored.data.tags["stage"] == "two" and "größe" not in stored.data.tags
    assert (stored.info.status, stored.info.run_name) == ("FAILED", "night owl"), stored.info
    refused("INVALID_PARAMETER_VALUE", client.log_batch, run,
            params=[Param("new", "1"), Param("depth", "9")])
    assert "new" not in client.get_run(run).data.params


def searches_filter_order_and_page():
    client = MlflowClient()
    home = fresh("search")
    for number in range(25):
        run = client.create_run(home, start_time=1000 + number, run_name=f"trial {number}").info.run_id
        client.log_batch(run, [Metric("acc", number / 25, 0, 0)],
                         [Param("opt", "adam" if number % 2 else "sgd")],
                         [RunTag("my tag", f"v{number}")])
        client.set_terminated(run)

    def names(text="", **more):
        return [run.info.run_name for run in client.search_runs([home], text, **more)]

    assert names()[:2] == ["trial 24", "trial 23"]
    assert names("metrics.acc > 0.9 and params.opt = 'adam'") == ["trial 23"]
    assert names("tags.`my tag` = 'v3'") == ["trial 3"]
    assert names("attributes.run_name LIKE 'trial 1_' AND params.opt != 'adam'",
                 order_by=["metrics.acc ASC"])[0] == "trial 10"
    assert names("attributes.status = 'FINISHED' AND attributes.start_time < 1002") == [
        "trial 1", "trial 0"]
    assert len(names("attributes.run_name IN ('trial 1', 'trial 2', 'trial 99')")) == 2
    page = client.search_runs([home], max_results=10, order_by=["metrics.acc DESC"])
    last = client.search_runs([home], max_results=10, order_by=["metrics.acc DESC"],
                              page_token=client.search_runs(
                                  [home], max_results=10, order_by=["metrics.acc DESC"],
                                  page_token=page.token).token)
    assert [run.info.run_name for run in last] == [f"trial {n}" for n in (4, 3, 2, 1, 0)]
    assert not last.token
    refused("INVALID_PARAMETER_VALUE", names, "metrics.acc > 'high'")
    refused("INVALID_PARAMETER_VALUE", names, "acc ~ 5")


def deleted_runs_are_hidden_and_restored():
    client = MlflowClient()
    home = fresh("trash")
    run = client.create_run(home).info.run_id
    client.delete_run(run)
    refused("INVALID_PARAMETER_VALUE", client.log_metric, run, "x", 1.0)
    assert not client.search_runs([home])
    assert len(client.search_runs([home], run_view_type=ViewType.DELETED_ONLY)) == 1
    client.restore_run(run)
    client.log_metric(run, "x", 1.0)
    assert len(client.search_runs([home])) == 1


def artifacts_go_up_and_come_down():
    with mlflow.start_run(experiment_id=fresh("artifacts")) as run, \
            tempfile.TemporaryDirectory() as folder:
        big = os.urandom(3_000_000)
        path = pathlib.Path(folder, "weights grün.bin")
        path.write_bytes(big)
        mlflow.log_artifact(str(path), "model/deep")
        mlflow.log_text("hello", "notes.txt")
        mlflow.log_dict({"a": [1, 2]}, "conf/a.json")
        client = MlflowClient()
        assert [one.path for one in client.list_artifacts(run.info.run_id)] == [
            "conf", "model", "notes.txt"]
        [deep] = client.list_artifacts(run.info.run_id, "model/deep")
        assert (deep.path, deep.file_size) == ("model/deep/weights grün.bin", 3_000_000), deep
        back = mlflow.artifacts.download_artifacts(run_id=run.info.run_id,
                                                   artifact_path="model", dst_path=folder)
        assert pathlib.Path(back, "deep", "weights grün.bin").read_bytes() == big
        assert mlflow.artifacts.load_text(run.info.artifact_uri + "/notes.txt") == "hello"


def the_registry_keeps_versions_aliases_and_stages():
    client = MlflowClient()
    name = f"net-{MAJOR}-{time.time_ns()}"
    client.create_registered_model(name, tags={"task": "cats"}, description="a net")
    refused("RESOURCE_ALREADY_EXISTS", client.create_registered_model, name)
    run = client.create_run(fresh("registry"))
    for _ in range(2):
        made = client.create_model_version(name, run.info.artifact_uri + "/model", run.info.run_id)
    assert (made.version, made.status) == ("2" if isinstance(made.version, str) else 2, "READY")
    client.set_registered_model_alias(name, "champion", "1")
    assert str(client.get_model_version_by_alias(name, "champion").version) == "1"
    client.set_model_version_tag(name, "2", "gate", "passed")
    assert client.get_model_version(name, "2").tags == {"gate": "passed"}
    client.transition_model_version_stage(name, "1", "Production")
    client.transition_model_version_stage(name, "2", "Production", archive_existing_versions=True)
    assert client.get_model_version(name, "1").current_stage == "Archived"
    assert [str(v.version) for v in client.get_latest_versions(name, ["Production"])] == ["2"]
    assert len(client.search_model_versions(f"name='{name}'")) == 2
    assert client.get_model_version_download_uri(name, "1") == run.info.artifact_uri + "/model"
    [found] = client.search_registered_models(f"name = '{name}'")
    assert found.tags == {"task": "cats"} and found.aliases, found
    client.rename_registered_model(name, name + "-b")
    client.delete_model_version(name + "-b", "1")
    assert len(client.search_model_versions(f"name='{name}-b'")) == 1
    client.delete_registered_model(name + "-b")
    refused("RESOURCE_DOES_NOT_EXIST", client.get_registered_model, name + "-b")


def autologging_of_scikit_learn_works():
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    mlflow.sklearn.autolog(silent=True)
    features, labels = load_iris(return_X_y=True)
    with mlflow.start_run(experiment_id=fresh("sklearn")) as run:
        model = LogisticRegression(max_iter=200).fit(features, labels)
    mlflow.sklearn.autolog(disable=True)
    stored = MlflowClient().get_run(run.info.run_id)
    assert stored.data.params["max_iter"] == "200" and "training_score" in stored.data.metrics
    assert stored.inputs.dataset_inputs, stored.inputs
    if MAJOR >= 3:
        [output] = stored.outputs.model_outputs
        address = f"models:/{output.model_id}"
        assert mlflow.get_logged_model(output.model_id).status == "READY"
    else:
        address = f"runs:/{run.info.run_id}/model"
    loaded = mlflow.sklearn.load_model(address)
    assert (loaded.predict(features) == model.predict(features)).all()


def a_registered_model_is_loaded_by_its_alias():
    from sklearn.linear_model import LogisticRegression
    name = f"line-{MAJOR}-{time.time_ns()}"
    model = LogisticRegression().fit([[0], [1]], [0, 1])
    with mlflow.start_run(experiment_id=fresh("line")):
        mlflow.sklearn.log_model(model, **{"name" if MAJOR >= 3 else "artifact_path": "line"},
                                 registered_model_name=name)
    MlflowClient().set_registered_model_alias(name, "best", 1)
    loaded = mlflow.sklearn.load_model(f"models:/{name}@best")
    assert list(loaded.predict([[0], [1]])) == [0, 1]


TESTS = [a_run_without_an_experiment_goes_to_the_default_one,
         experiments_are_made_found_renamed_deleted_and_restored,
         histories_come_back_whole_and_in_pages,
         odd_numbers_and_steps_survive,
         parameters_are_written_once_and_tags_often,
         searches_filter_order_and_page,
         deleted_runs_are_hidden_and_restored,
         artifacts_go_up_and_come_down,
         the_registry_keeps_versions_aliases_and_stages,
         autologging_of_scikit_learn_works,
         a_registered_model_is_loaded_by_its_alias]


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    good = [report(f"mlflow-{MAJOR}/{test.__name__}", test)
            for test in TESTS if wanted in test.__name__]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
