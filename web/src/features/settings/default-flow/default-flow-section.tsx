import FlowIcon from '~icons/ic/round-schema'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { SettingsBlock } from './settings-block.tsx'

/** Settings, section Fluxo padrão: what it will hold once there are flows, and until then the truth. */
export const DefaultFlowSection = () => (
  <SettingsBlock title="Fluxo padrão" action={null}>
    <Panel>
      <EmptyState
        icon={<FlowIcon />}
        title="Nenhum fluxo padrão"
        sentence="Aqui você vai escolher, entre os Fluxos de Conversa, o que recebe quem escreve pela primeira vez. Os fluxos ainda estão em desenvolvimento: até lá, toda conversa nova espera em Aguardando."
      />
    </Panel>
  </SettingsBlock>
)
