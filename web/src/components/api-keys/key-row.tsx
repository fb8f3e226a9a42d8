import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ApiKeyShown } from '@prosa/contracts/http/keys'
import { useRevokeKey } from '../../lib/account/api-keys.ts'
import { dayAndTime, plainDate } from '../../lib/format/format.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { RemovalButton } from '../forms/removal-button.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { isOfPublished, labelOf, stateOf, stateWords } from './key-words.ts'

const factsOf = ({ createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKeyShown, nowMs: number): string =>
  [
    `Criada em ${plainDate(createdAt)}`,
    revokedAt === null ? `vale até ${plainDate(expiresAt)}` : `revogada ${dayAndTime(revokedAt, nowMs)}`,
    lastUsedAt === null ? 'nunca usada' : `último uso: ${dayAndTime(lastUsedAt, nowMs)}`,
  ].join(' · ')

const opensOf = ({ scopes, reach, withPersonal }: ApiKeyShown): string => {
  const whose = reach === 'platform' ? 'de todas as contas, com pseudônimos' : 'desta conta'
  const isAsked = reach === 'tenant' && isOfPublished(scopes)
  const personal = isAsked ? `; eventos e tabelas ${withPersonal ? 'com' : 'sem'} dados pessoais` : ''
  return `${labelOf(...scopes)} ${whose}${personal}`
}

export const KeyRow = ({ apiKey }: { apiKey: ApiKeyShown }) => {
  const revoke = useRevokeKey()
  const nowMs = serverNow() ?? Date.now()
  const state = stateOf(apiKey, nowMs)
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 3,
        minHeight: 'var(--row-height)',
        '& + li': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 0.5 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 3 }}>
          <Typography variant="subtitle1" component="h3" sx={{ overflowWrap: 'anywhere' }}>
            {apiKey.name}
          </Typography>
          <StatusBadge {...stateWords[state]} />
        </Box>
        <Typography>{opensOf(apiKey)}</Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {factsOf(apiKey, nowMs)}
        </Typography>
      </Box>
      {state === 'active' && (
        <RemovalButton
          hint="Revogar"
          label={`Revogar ${apiKey.name}`}
          title={`Revogar ${apiKey.name}?`}
          sentence="Programas que usam esta chave param de ler na hora, e ela não volta a valer."
          confirm="Revogar"
          pending={revoke.isPending}
          onRemove={(options) => revoke.mutate(apiKey.id, options)}
        />
      )}
    </Box>
  )
}
