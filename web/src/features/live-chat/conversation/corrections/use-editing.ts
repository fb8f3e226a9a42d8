import type { Message } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useAtom } from 'jotai'
import { keys } from '../../api.ts'
import { editingAtom } from '../../atoms.ts'
import type { History } from '../../history-page.ts'
import { lastEditable, shownWords, wantedWords } from './changeable.ts'
import { useCorrections } from './use-corrections.ts'

/** The message whose text replaces the draft. */
export const useEditing = (contactId: string) => {
  const client = useQueryClient()
  const [all, setAll] = useAtom(editingAtom)
  const { edit } = useCorrections(contactId)
  const editing = all[contactId]

  const put = (message: Message, text: string) => setAll((others) => ({ ...others, [contactId]: { message, text } }))
  const cancel = () => setAll(({ [contactId]: _edited, ...others }) => others)
  return {
    message: editing?.message ?? null,
    text: editing?.text ?? '',
    setText: (text: string) => editing && put(editing.message, text),
    cancel,
    /** False when the last message of our side is not editable. */
    beginLast: (): boolean => {
      const loaded = client.getQueryData<History>(keys.history(contactId))
      const last = loaded?.newer === null ? lastEditable(loaded.messages) : undefined
      if (last) put(last, wantedWords(last))
      return last !== undefined
    },
    save: () => {
      if (!editing) return
      const { text } = editing
      if (text.trim() !== '' && text !== shownWords(editing.message)) void edit(editing.message, text)
      cancel()
    },
  }
}
