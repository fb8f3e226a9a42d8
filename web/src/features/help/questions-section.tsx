import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import ExpandIcon from '~icons/ic/round-expand-more'
import SearchOffIcon from '~icons/ic/round-search-off'
import { Field } from '../../components/forms/field.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { notSeen } from '../../components/screen-reader-text.tsx'
import { useAddressFilter } from '../../lib/forms/use-address-filter.ts'
import { foundQuestions, type Question } from './questions.ts'

const answerStyle = { px: 4, pt: 1, pb: 4, display: 'grid', gap: 2, maxWidth: 'var(--reading-width)' }

const Item = ({ item, isOpen, onToggle }: { item: Question; isOpen: boolean; onToggle: () => void }) => (
  <Box sx={{ '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}>
    <Typography variant="subtitle2" component="h3">
      <ButtonBase
        id={`pergunta-${item.id}`}
        aria-expanded={isOpen}
        aria-controls={`resposta-${item.id}`}
        onClick={onToggle}
        sx={{
          width: '100%',
          minHeight: 'var(--target)',
          justifyContent: 'space-between',
          gap: 3,
          px: 4,
          py: 3,
          textAlign: 'start',
          font: 'inherit',
          '&:hover': { bgcolor: 'var(--hover)' },
          '& svg': { flex: 'none', transition: 'rotate var(--state)', rotate: isOpen ? '180deg' : '0deg' },
        }}
      >
        {item.question}
        <ExpandIcon aria-hidden="true" />
      </ButtonBase>
    </Typography>
    <Box
      role="region"
      id={`resposta-${item.id}`}
      aria-labelledby={`pergunta-${item.id}`}
      hidden={!isOpen}
      sx={isOpen ? answerStyle : undefined}
    >
      {item.answer.map((paragraph) => (
        <Typography key={paragraph}>{paragraph}</Typography>
      ))}
    </Box>
  </Box>
)

export const QuestionsSection = () => {
  const [search, setSearch] = useState('')
  const [open, setOpen] = useAddressFilter('pergunta')
  const found = foundQuestions(search)
  // Of the address with which the page was opened.
  const [first] = useState(open)
  useEffect(() => document.getElementById(`pergunta-${first}`)?.scrollIntoView?.({ block: 'nearest' }), [first])
  return (
    <Box component="section" aria-labelledby="help-questions" sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
      <Typography id="help-questions" variant="h2">
        Perguntas frequentes
      </Typography>
      <Field
        label="Buscar nas perguntas"
        type="search"
        name="busca"
        autoComplete="off"
        placeholder="Ex: conectar, plano, apagar"
        value={search}
        onChange={setSearch}
      />
      <Box role="status" sx={notSeen}>
        {search.trim() && (found.length === 1 ? '1 pergunta encontrada' : `${found.length} perguntas encontradas`)}
      </Box>
      <Panel>
        {found.length === 0 ? (
          <EmptyState
            icon={<SearchOffIcon />}
            title="Nenhuma pergunta encontrada"
            sentence="Tente outras palavras, ou escreva para o suporte no fim desta página."
            action={
              <Button variant="outlined" color="inherit" onClick={() => setSearch('')}>
                Limpar a busca
              </Button>
            }
          />
        ) : (
          found.map((item) => (
            <Item
              key={item.id}
              item={item}
              isOpen={open === item.id}
              onToggle={() => setOpen(open === item.id ? '' : item.id)}
            />
          ))
        )}
      </Panel>
    </Box>
  )
}
