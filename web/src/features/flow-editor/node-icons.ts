import type { FlowNodeType } from '@prosa/contracts/flows/flow-document'
import RouteIcon from '~icons/ic/round-alt-route'
import CalculationIcon from '~icons/ic/round-calculate'
import SplitIcon from '~icons/ic/round-call-split'
import ChatIcon from '~icons/ic/round-chat'
import QuestionIcon from '~icons/ic/round-contact-support'
import BoltIcon from '~icons/ic/round-flash-on'
import MenuIcon from '~icons/ic/round-format-list-numbered'
import RequestIcon from '~icons/ic/round-http'
import LabelIcon from '~icons/ic/round-new-label'
import TimerIcon from '~icons/ic/round-schedule'
import AgentIcon from '~icons/ic/round-support-agent'
import FinishIcon from '~icons/ic/round-task-alt'

export const nodeIcons: Record<FlowNodeType, typeof BoltIcon> = {
  trigger: BoltIcon,
  message: ChatIcon,
  delay: TimerIcon,
  condition: SplitIcon,
  question: QuestionIcon,
  menu: MenuIcon,
  request: RequestIcon,
  calculation: CalculationIcon,
  label: LabelIcon,
  handover: AgentIcon,
  finish: FinishIcon,
  flow: RouteIcon,
}
