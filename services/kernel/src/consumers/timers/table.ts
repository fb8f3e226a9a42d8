/** Announces that timers were set. */
export const timerChannel = 'prosa_timer'
