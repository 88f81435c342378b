"""Sweeps written as Isaac Lab's JobCfg classes, for `gpuyard tune FILE.py`.

`plan` runs on the machine of the person who begins the study: it loads the file and says which parameters are
searched. `trial` runs in each trial: it resolves the parameters, starts the trainer as Isaac Lab's tuner.py does
and reports what the trainer writes. The code goes along with the study, so nothing has to be installed where
trials run; the command line carries all of it. Python 3.8 or newer, no dependencies.
"""
