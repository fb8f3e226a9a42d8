import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import type { HistoryThread } from '@prosa/contracts/http/history'
import { useState } from 'react'
import ForumIcon from '~icons/ic/round-forum'
import type { PagedList } from '../../lib/http/use-paged-list.ts'
import { EmptyState } from '../layout/empty-state.tsx'
import { HistoryTimeline } from './timeline.tsx'

type Props = {
  contactId: string
  useList: (contactId: string, withTexts: boolean) => PagedList<HistoryThread>
  /** Of the switch; an administrator's reading of texts is recorded. */
  textsLabel: string
}

/** The life of a conversation; what was written is shown only when it is asked for. */
export const ConversationTimeline = ({ contactId, useList, textsLabel }: Props) => {
  const [withTexts, setWithTexts] = useState(false)
  const list = useList(contactId, withTexts)
  return (
    <>
      <FormControlLabel
        control={<Switch checked={withTexts} onChange={(_event, checked) => setWithTexts(checked)} />}
        label={textsLabel}
        sx={{ minHeight: 'var(--target)' }}
      />
      <HistoryTimeline
        list={list}
        about={`contact:${contactId}`}
        empty={<EmptyState icon={<ForumIcon />} title="Nada aconteceu ainda" />}
      />
    </>
  )
}
