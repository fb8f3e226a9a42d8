/**
 * Loaded into every child of `runChild` before its own code: when the launcher is gone, by SIGKILL even, the child gets the
 * SIGTERM that the launcher could not send. A child that is still starting and handles no signal yet just ends.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The listener alone would keep a child alive that has nothing left to do.
process.channel?.unref()
