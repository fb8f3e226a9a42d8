import { useAtom } from 'jotai'
import { useState } from 'react'
import type { UnsentRecording } from '../../../components/use-voice-recording.ts'
import { personalStorageEpoch } from '../../../lib/personal-storage.ts'
import { useToast } from '../../../lib/toast.ts'
import { unsentRecordingsAtom } from '../atoms.ts'

export const useUnsentRecording = (contactId: string, contactName: string) => {
  const toast = useToast()
  const [all, setAll] = useAtom(unsentRecordingsAtom)
  const [epoch] = useState(personalStorageEpoch)
  return {
    unsent: all[contactId] ?? null,
    keep: (recording: UnsentRecording) => {
      // Nothing survives a sign-out.
      if (personalStorageEpoch() !== epoch) return
      setAll((others) => ({ ...others, [contactId]: recording }))
      toast({
        kind: 'info',
        title: 'A gravação ficou guardada',
        description: `Ela espera na conversa com ${contactName}.`,
      })
    },
    forget: () => setAll(({ [contactId]: _unsent, ...others }) => others),
  }
}
