import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import FlowIcon from '~icons/ic/round-account-tree'
import ApiIcon from '~icons/ic/round-code'
import CasesIcon from '~icons/ic/round-lightbulb'
import GuideIcon from '~icons/ic/round-rocket-launch'
import TutorialIcon from '~icons/ic/round-slideshow'
import { GridCard } from '../../components/layout/card-grid.tsx'
import { articles, helpTopic, type Topic } from './articles.ts'

const Card = ({
  id,
  icon,
  title,
  text,
  children,
}: Record<'id' | 'title' | 'text', string> & Record<'icon' | 'children', ReactNode>) => (
  <GridCard labelledBy={id}>
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, color: 'primary.main' }}>
      {icon}
      <Typography id={id} variant="subtitle2" component="h3" sx={{ color: 'text.primary' }}>
        {title}
      </Typography>
    </Box>
    <Typography sx={{ color: 'text.secondary', flex: 1, textWrap: 'pretty' }}>{text}</Typography>
    {children}
  </GridCard>
)

const gridStyle = {
  display: 'grid',
  gap: 4,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  m: 0,
  p: 0,
  listStyle: 'none',
} as const

const buttonStyle = { alignSelf: 'start' }

const topics: readonly { topic: Topic; icon: ReactNode }[] = [
  { topic: 'guia', icon: <GuideIcon aria-hidden="true" /> },
  { topic: 'tutoriais', icon: <TutorialIcon aria-hidden="true" /> },
  { topic: 'fluxos', icon: <FlowIcon aria-hidden="true" /> },
  { topic: 'casos', icon: <CasesIcon aria-hidden="true" /> },
]

export const ResourcesSection = () => (
  <Box component="section" aria-labelledby="help-resources" sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
    <Typography id="help-resources" variant="h2">
      Recursos
    </Typography>
    <Box component="ul" sx={gridStyle}>
      {topics.map(({ topic, icon }) => (
        <Card key={topic} id={`recurso-${topic}`} icon={icon} title={articles[topic].title} text={articles[topic].card}>
          <Button
            component={Link}
            to={helpTopic(topic)}
            variant="outlined"
            color="inherit"
            aria-describedby={`recurso-${topic}`}
            sx={buttonStyle}
          >
            Acessar
          </Button>
        </Card>
      ))}
      <Card
        id="recurso-api"
        icon={<ApiIcon aria-hidden="true" />}
        title="Documentação da API"
        text="Todos os endereços do Prosa, com o que pedem e o que respondem."
      >
        <Button
          href="/api/docs"
          target="_blank"
          rel="noreferrer"
          variant="outlined"
          color="inherit"
          aria-describedby="recurso-api"
          sx={buttonStyle}
        >
          Acessar
        </Button>
      </Card>
    </Box>
  </Box>
)
