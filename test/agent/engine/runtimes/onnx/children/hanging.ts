// A driver that never comes back.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
