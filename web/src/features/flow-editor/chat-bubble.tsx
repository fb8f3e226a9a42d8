import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import FileIcon from '~icons/ic/round-attach-file'
import { FormattedText } from '../../components/formatting/formatted-text.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { radius } from '../../lib/radius.ts'
import { fileWords } from './flow-words.ts'

type FileShown = Parameters<typeof fileWords>[0]

interface Props {
  isOwn: boolean
  /** For screen readers. */
  who: string
  text: string
  file?: FileShown | null
  meta?: ReactNode
}

/** Own side right, contact left, as in live chat. */
export const ChatBubble = ({ isOwn, who, text, file = null, meta }: Props) => (
  <Box sx={{ display: 'flex', justifyContent: isOwn ? 'flex-end' : 'flex-start' }}>
    <Typography
      component="div"
      variant="message"
      sx={{
        maxWidth: '85%',
        px: 3,
        py: 1.5,
        bgcolor: isOwn ? 'own' : 'surface',
        color: isOwn ? 'ownText' : 'text.primary',
        borderRadius: radius.bubble,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      <ScreenReaderText>{who}: </ScreenReaderText>
      {file && (
        <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1.5, fontWeight: 500 }}>
          <FileIcon aria-hidden sx={{ fontSize: 'var(--icon-small)', flex: 'none' }} />
          {fileWords(file)}
        </Box>
      )}
      <Box dir="auto">
        <FormattedText text={text} />
      </Box>
      {meta}
    </Typography>
  </Box>
)

export const ChatLine = ({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) => (
  <Box sx={{ display: 'flex', justifyContent: 'center' }}>
    <Typography
      variant="caption"
      component="p"
      sx={{
        px: 3,
        py: 1,
        textAlign: 'center',
        textWrap: 'pretty',
        overflowWrap: 'anywhere',
        color: isWarning ? 'warn' : 'text.secondary',
        bgcolor: isWarning ? 'warnSoft' : 'surface',
        border: '1px solid',
        borderColor: isWarning ? 'warnSoft' : 'divider',
        borderRadius: radius.panel,
      }}
    >
      {children}
    </Typography>
  </Box>
)
