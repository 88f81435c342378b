"""Asks JAX for more than the slice, catches the refusal, and computes on."""
import sys

import jax
import jax.numpy as jnp
import numpy as np

hard = int(sys.argv[1])
device = jax.devices()[0]
assert device.platform == "gpu", device.platform
try:
    jax.block_until_ready(jnp.ones((hard + (1 << 30),), dtype=jnp.uint8))
    print("granted")
except Exception as error:
    print("refused" if "RESOURCE_EXHAUSTED" in str(error) or "memory" in str(error).lower()
          else "odd: " + str(error)[:200])
x = np.random.default_rng(1).standard_normal((512, 512)).astype(np.float32)
got = np.asarray(jnp.matmul(x, x, precision="highest"), dtype=np.float64)
want = x.astype(np.float64) @ x.astype(np.float64)
error = np.linalg.norm(got - want) / np.linalg.norm(want)
print("right" if error < 1e-3 else "wrong", error)
