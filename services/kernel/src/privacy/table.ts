export const erasedChannel = 'prosa_subject_erased'

export const installationKeyLock = 724_004
