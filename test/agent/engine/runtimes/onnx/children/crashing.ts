// A driver that takes its process with it.
process.kill(process.pid, 'SIGSEGV')
