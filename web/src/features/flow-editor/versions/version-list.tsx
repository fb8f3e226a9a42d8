import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowVersion } from '@prosa/contracts/http/flows'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { dayAndTime, plural } from '../../../lib/format/format.ts'

/** '2 passos novos, 1 removido e 3 mudados' */
const changedWords = ({ version, added, removed, changed }: FlowVersion): string => {
  if (version === 1) return `A primeira, com ${plural(added, 'passo', 'passos')}`
  const parts = [
    added > 0 && plural(added, 'passo novo', 'passos novos'),
    removed > 0 && plural(removed, 'passo removido', 'passos removidos'),
    changed > 0 && plural(changed, 'passo mudado', 'passos mudados'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Os mesmos passos' : new Intl.ListFormat('pt-BR').format(parts)
}

interface Props {
  flowId: string
  versions: readonly FlowVersion[]
  chosen: number
  onCompare: (version: number) => void
  onRestore: (version: number) => void
}

export const VersionList = ({ flowId, versions, chosen, onCompare, onRestore }: Props) => {
  const now = Date.now()
  return (
    <Box
      component="ol"
      aria-label="Versões publicadas"
      sx={{ m: 0, p: 0, listStyle: 'none', borderRadius: 'inherit', overflow: 'hidden' }}
    >
      {versions.map((one, index) => (
        <Box
          component="li"
          key={one.version}
          sx={{
            px: 4,
            py: 3,
            bgcolor: one.version === chosen ? 'primarySoft' : undefined,
            '& + &': { borderTop: '1px solid', borderColor: 'divider' },
          }}
        >
          <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 2 }}>
            <Typography variant="subtitle2" component="h3">
              Versão {one.version}
            </Typography>
            {index === 0 && (
              <span>
                <StatusBadge tone="good" label="Em vigor" />
                <WhyButton of={{ kind: 'flow', id: flowId, field: 'version' }} what="Versão em vigor" />
              </span>
            )}
          </Box>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            <time dateTime={one.publishedAt}>{dayAndTime(one.publishedAt, now)}</time>
            {one.publishedBy !== null && ` · por ${one.publishedBy}`}
          </Typography>
          <Typography sx={{ mt: 1 }}>{changedWords(one)}</Typography>
          <Box sx={{ display: 'flex', gap: 1, mt: 1, ml: -2 }}>
            <Button
              size="small"
              aria-label={`Comparar a versão ${one.version} com o rascunho`}
              onClick={() => onCompare(one.version)}
            >
              Comparar
            </Button>
            <Button
              size="small"
              color="inherit"
              aria-label={`Restaurar a versão ${one.version}`}
              onClick={() => onRestore(one.version)}
            >
              Restaurar
            </Button>
          </Box>
        </Box>
      ))}
    </Box>
  )
}
