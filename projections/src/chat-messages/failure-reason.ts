const reasons: Record<string, string> = {
  '403': 'O WhatsApp não deixa este número escrever para este contato. Veja no celular se um bloqueou o outro.',
  '429': 'Foram mensagens demais em pouco tempo para o WhatsApp. Espere alguns minutos e tente de novo.',
  '463':
    'O WhatsApp limitou por enquanto o início de conversas com pessoas novas por este número. ' +
    'Tente mais tarde, ou espere que a pessoa escreva primeiro.',
  '479': 'O WhatsApp não reconheceu o aparelho do contato. Tente de novo em instantes.',
  no_acknowledgement: 'O WhatsApp não confirmou esta mensagem. Veja no celular se ela chegou antes de tentar de novo.',
  line_broken:
    'A conexão com o WhatsApp caiu todas as vezes que esta mensagem saiu. Veja no celular se ela chegou antes de tentar de novo.',
  not_sendable: 'Esta mensagem não pode ser enviada pelo WhatsApp como está. Mude o conteúdo e envie outra vez.',
  text_forgotten: 'O texto desta mensagem já não está guardado. Escreva-a de novo.',
  media_not_sent: 'O arquivo não pôde ser enviado ao WhatsApp. Tente de novo.',
  media_missing: 'O arquivo desta mensagem não está mais guardado. Anexe-o de novo.',
  connection_removed: 'A conexão usada para esta mensagem foi removida. Envie de novo por outra conexão.',
  connection_not_open: 'A conexão desta mensagem não tem um número de WhatsApp. Conecte um número e envie de novo.',
  access_ended: 'O acesso ao Prosa acabou, e o fluxo não pôde enviar esta mensagem. Renove o plano e envie de novo.',
  email_not_confirmed:
    'O e-mail da conta não está confirmado, e o fluxo não pôde enviar esta mensagem. Confirme-o e envie de novo.',
  no_message_left:
    'As mensagens do plano neste mês acabaram, e o fluxo não pôde enviar esta. Mude de plano e envie de novo.',
  number_changed: 'O número desta conexão mudou antes do envio. Envie de novo se ainda quiser.',
  number_not_on_whatsapp: 'Este número não tem WhatsApp. Confira o número do contato.',
  message_id_taken:
    'Esta mensagem usava a identificação de outra, já enviada a outro contato. Escreva e envie de novo.',
  unsupported_content: 'O Prosa ainda não sabe enviar este tipo de mensagem. Envie como texto ou documento.',
}

export const failureReason = (code: string): string =>
  (Object.hasOwn(reasons, code) && reasons[code]) || 'O WhatsApp não aceitou esta mensagem. Tente enviar de novo.'

const correctionReasons: Record<string, string> = {
  correction_too_late: 'O WhatsApp ficou fora do ar por tempo demais, e agora não aceita mais a mudança.',
  original_not_sent: 'A mensagem não foi enviada. Envie-a de novo antes de mudá-la.',
  overtaken: 'A mensagem foi editada no celular depois disso.',
  no_acknowledgement: 'O WhatsApp não confirmou a mudança. Veja no celular como a mensagem está.',
  line_broken: 'A conexão com o WhatsApp caiu durante a mudança. Veja no celular como a mensagem está.',
  connection_removed: 'A conexão usada para esta mensagem foi removida.',
  number_changed: 'O número desta conexão mudou antes disso.',
}

export const correctionReason = (code: string): string =>
  (Object.hasOwn(correctionReasons, code) && correctionReasons[code]) || 'O WhatsApp não aceitou a mudança.'
