import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import KeyIcon from '~icons/ic/round-key'
import { apiKeysQuery } from '../../lib/account/api-keys.ts'
import { CardGridSkeleton } from '../layout/card-grid.tsx'
import { EmptyState } from '../layout/empty-state.tsx'
import { Panel } from '../layout/panel.tsx'
import { NotReadPanel } from '../notices/not-read-panel.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyRow } from './key-row.tsx'
import { KeyShownDialog } from './key-shown-dialog.tsx'

interface Props {
  /** For all tenants, pseudonymised: an analyst's. Else for the tenant's own data. */
  ofPlatform: boolean
  /** Under the heading. */
  sentence: ReactNode
}

type Opened = { dialog: 'create' } | { dialog: 'shown'; name: string; secret: string } | null

/** Keys of the account: created, shown once, listed, revoked. */
export const ApiKeys = ({ ofPlatform, sentence }: Props) => {
  const { data: keys, error, isPending, refetch } = useQuery(apiKeysQuery)
  const [opened, setOpened] = useState<Opened>(null)
  const heading = useId()
  const create = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setOpened({ dialog: 'create' })}>
      Criar chave
    </Button>
  )
  return (
    <Box
      component="section"
      aria-labelledby={heading}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="h2" id={heading}>
          Chaves de API
        </Typography>
        {keys && keys.length > 0 && create}
      </Box>
      <Typography sx={{ color: 'text.secondary', maxWidth: 'var(--reading-width)' }}>{sentence}</Typography>
      {isPending ? (
        <CardGridSkeleton cards={2} height="var(--row-height)" />
      ) : !keys ? (
        <NotReadPanel title="As chaves não puderam ser lidas" error={error} onRetry={() => void refetch()} />
      ) : keys.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<KeyIcon />}
            title="Nenhuma chave ainda"
            sentence="Crie uma para que um programa seu leia os dados. Ela aparece uma vez só: guarde em lugar seguro."
            action={create}
          />
        </Panel>
      ) : (
        <Panel>
          <Box component="ul" aria-label="Chaves" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {keys.toReversed().map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </Box>
        </Panel>
      )}
      {opened?.dialog === 'create' && (
        <CreateKeyDialog
          ofPlatform={ofPlatform}
          onClose={() => setOpened(null)}
          onCreated={(name, secret) => setOpened({ dialog: 'shown', name, secret })}
        />
      )}
      {opened?.dialog === 'shown' && <KeyShownDialog {...opened} onClose={() => setOpened(null)} />}
    </Box>
  )
}
