// A driver that crashes its process.
process.kill(process.pid, 'SIGSEGV')
