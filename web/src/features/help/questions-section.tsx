import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import ExpandIcon from '~icons/ic/round-expand-more'
import SearchOffIcon from '~icons/ic/round-search-off'
import { Field } from '../../components/forms/field.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { notSeen } from '../../components/screen-reader-text.tsx'
import { plural } from '../../lib/format/format.ts'
import { useAddressFilter } from '../../lib/forms/use-address-filter.ts'
import { type FoundPart, foundParts } from './articles.ts'
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

const Parts = ({ parts }: { parts: readonly FoundPart[] }) => (
  <Box component="nav" aria-labelledby="help-found-parts" sx={{ display: 'grid', gap: 2 }}>
    <Typography id="help-found-parts" variant="h3">
      Nas páginas de ajuda
    </Typography>
    <Panel>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {parts.map(({ to, title, article }) => (
          <Box component="li" key={to} sx={{ '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}>
            <ButtonBase
              component={Link}
              to={to}
              sx={{
                width: '100%',
                minHeight: 'var(--target)',
                display: 'grid',
                justifyContent: 'start',
                px: 4,
                py: 2,
                textAlign: 'start',
                '&:hover': { bgcolor: 'var(--hover)' },
              }}
            >
              {title}
              <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
                {article}
              </Typography>
            </ButtonBase>
          </Box>
        ))}
      </Box>
    </Panel>
  </Box>
)

/** '2 perguntas e 8 páginas encontradas' */
const foundWords = (questions: number, parts: number): string => {
  const pages = parts === 0 ? '' : ` e ${plural(parts, 'página', 'páginas')}`
  const isOne = questions + parts === 1
  return `${plural(questions, 'pergunta', 'perguntas')}${pages} ${isOne ? 'encontrada' : 'encontradas'}`
}

export const QuestionsSection = () => {
  const [search, setSearch] = useState('')
  const [open, setOpen] = useAddressFilter('pergunta')
  const found = foundQuestions(search)
  // Of the address with which the page was opened.
  const [first] = useState(open)
  useEffect(() => document.getElementById(`pergunta-${first}`)?.scrollIntoView?.({ block: 'nearest' }), [first])
  const parts = foundParts(search)
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
        placeholder="Ex: conectar, fluxo, apagar"
        value={search}
        onChange={setSearch}
      />
      <Box role="status" sx={notSeen}>
        {search.trim() && foundWords(found.length, parts.length)}
      </Box>
      {found.length + parts.length > 0 ? (
        <>
          {found.length > 0 && (
            <Panel>
              {found.map((item) => (
                <Item
                  key={item.id}
                  item={item}
                  isOpen={open === item.id}
                  onToggle={() => setOpen(open === item.id ? '' : item.id)}
                />
              ))}
            </Panel>
          )}
          {parts.length > 0 && <Parts parts={parts} />}
        </>
      ) : (
        <Panel>
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
        </Panel>
      )}
    </Box>
  )
}
