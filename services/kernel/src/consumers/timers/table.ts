export const timerChannel = 'prosa_timer'
