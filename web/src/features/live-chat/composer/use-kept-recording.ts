import { useAtom } from 'jotai'
import { useState } from 'react'
import type { KeptRecording } from '../../../components/use-voice-recording.ts'
import { personalStorageEpoch } from '../../../lib/personal-storage.ts'
import { useToast } from '../../../lib/toast.ts'
import { keptRecordingsAtom } from '../atoms.ts'

export const useKeptRecording = (contactId: string, contactName: string) => {
  const toast = useToast()
  const [all, setAll] = useAtom(keptRecordingsAtom)
  const [epoch] = useState(personalStorageEpoch)
  return {
    kept: all[contactId] ?? null,
    keep: (recording: KeptRecording) => {
      // Nothing survives a sign-out.
      if (personalStorageEpoch() !== epoch) return
      setAll((others) => ({ ...others, [contactId]: recording }))
      toast({
        kind: 'info',
        title: 'A gravação ficou guardada',
        description: `Ela espera na conversa com ${contactName}.`,
      })
    },
    forget: () => setAll(({ [contactId]: _kept, ...others }) => others),
  }
}
