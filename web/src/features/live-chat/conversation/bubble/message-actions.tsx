import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { Message } from '@prosa/contracts/http/live-chat'
import AddReactionRounded from '~icons/ic/round-add-reaction'
import MoreVertRounded from '~icons/ic/round-more-vert'
import ReplyRounded from '~icons/ic/round-reply'
import { KeyHint } from '../../../../components/key-hint.tsx'
import { notSeen } from '../../../../components/screen-reader-text.tsx'
import { type BubbleActions, canBeAnswered } from './bubble-actions.ts'

interface Props {
  message: Message
  /** The keyboard cursor is on this message: Tab leads here. */
  atCursor: boolean
  actions: BubbleActions
}

export const MessageActions = ({ message, atCursor, actions }: Props) => (
  <Box
    className="message-actions"
    sx={{
      display: 'flex',
      alignSelf: 'center',
      opacity: 0,
      '[data-history]:focus-visible &': atCursor ? { opacity: 1 } : {},
      transition: 'opacity var(--state)',
      '&:focus-within': { opacity: 1 },
      // Touch uses a long press; screen readers still reach these.
      '@media (hover: none)': notSeen,
    }}
  >
    {canBeAnswered(message) && (
      <>
        <KeyHint title="Reagir" keys={['+']}>
          <IconButton
            size="small"
            color="secondary"
            aria-label="Reagir"
            tabIndex={atCursor ? 0 : -1}
            onClick={() => actions.onChooseReaction(message)}
          >
            <AddReactionRounded />
          </IconButton>
        </KeyHint>
        <KeyHint title="Responder citando" keys={['R']}>
          <IconButton
            size="small"
            color="secondary"
            aria-label="Responder citando"
            tabIndex={atCursor ? 0 : -1}
            onClick={() => actions.onReply(message)}
          >
            <ReplyRounded />
          </IconButton>
        </KeyHint>
      </>
    )}
    <IconButton
      className="message-more"
      size="small"
      color="secondary"
      aria-label="Mais ações"
      aria-haspopup="menu"
      tabIndex={atCursor ? 0 : -1}
      onClick={() => actions.onMore(message)}
    >
      <MoreVertRounded />
    </IconButton>
  </Box>
)
