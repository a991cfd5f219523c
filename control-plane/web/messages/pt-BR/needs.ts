// The words for what is missing, in Brazilian Portuguese: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'Locução natural requer',
    cloning: 'Falar com as suas vozes requer',
    description: 'Criar vozes por descrição requer',
    recognition: 'Reconhecer palavras requer',
    dictation: 'Ditar requer',
    speakers: 'Distinguir os falantes requer',
    background: 'Manter música e ruídos sem as vozes originais requer',
    translation: 'Traduzir requer',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'Ainda não há um modelo de locução natural instalado.',
    cloning: 'Ainda não há um modelo instalado que fale com as suas vozes.',
    description: 'Ainda não há um modelo instalado que crie vozes a partir de uma descrição.',
    recognition: 'Ainda não há um modelo instalado que reconheça palavras.',
    dictation: 'Ainda não há um modelo de ditado instalado.',
    speakers: 'Ainda não há um modelo instalado que distinga os falantes.',
    background: 'Ainda não há um modelo instalado que separe as vozes da música e dos ruídos.',
    translation: 'Ainda não há um modelo instalado para esta tradução.',
  },
  fits: 'cabe',
  tight: 'no limite',
  label: (work: string, model: string) => `${work} ${model}`,
  install: 'Instalar',
  installOf: (model: string) => `Instalar ${model}`,
  cancelOf: (model: string) => `Cancelar o download de ${model}`,
  waiting: 'aguardando outro download',
  progressOf: (model: string) => `Download de ${model}`,
  progress: (done: string, total: string) => `${done} de ${total}`,
  failed: 'O download falhou.',
  askOwner: 'A pessoa responsável por este estúdio pode instalar o modelo.',
}
