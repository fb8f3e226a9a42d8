/** Loaded first into every child of `runChild`: sends SIGTERM when the launcher is gone, even by SIGKILL. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Does not keep a finished child alive.
process.channel?.unref()
