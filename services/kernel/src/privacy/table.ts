/** Announces that keys were erased: whoever remembers keys forgets all of them. */
export const erasedChannel = 'prosa_subject_erased'

export const installationKeyLock = 724_004
