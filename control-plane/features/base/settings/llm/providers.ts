// The providers of language models. All serve the same HTTP interface; addresses and names are from their public documentation.

export type Provider = {
  readonly id: string
  readonly name: string
  /** `{account_id}` is replaced by the account of the owner. */
  readonly baseUrl: string
  readonly model: string
  /** Page on which an account or a key is created; '' for programs of this machine. */
  readonly signupUrl: string
  readonly notes: string
  /** Runs on this machine and needs no key. */
  readonly local?: true
  readonly needsAccount?: true
}

/** The server that the owner describes; it is also the one of /llm-endpoint. */
export const CUSTOM = 'custom'
export const ACCOUNT = '{account_id}'

export const PROVIDERS: readonly Provider[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-4o-mini',
    signupUrl: 'https://platform.openai.com/api-keys',
    notes: 'Paid.',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    model: 'meta-llama/llama-3.3-70b-instruct:free',
    signupUrl: 'https://openrouter.ai/keys',
    notes: 'Many models with one key; some are free.',
  },
  {
    id: 'orcarouter',
    name: 'OrcaRouter',
    baseUrl: 'https://api.orcarouter.ai/v1',
    model: 'openai/gpt-4o-mini',
    signupUrl: 'https://www.orcarouter.ai',
    notes: 'Many models with one key.',
  },
  {
    id: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    model: 'llama-3.3-70b-versatile',
    signupUrl: 'https://console.groq.com/keys',
    notes: 'Fast, with a free plan.',
  },
  {
    id: 'cerebras',
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    model: 'llama-3.3-70b',
    signupUrl: 'https://cloud.cerebras.ai',
    notes: 'Fast, with a free plan.',
  },
  {
    id: 'google-ai',
    name: 'Google AI Studio',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-2.5-flash',
    signupUrl: 'https://aistudio.google.com/apikey',
    notes: 'Has a free plan.',
  },
  {
    id: 'mistral',
    name: 'Mistral AI',
    baseUrl: 'https://api.mistral.ai/v1',
    model: 'mistral-small-latest',
    signupUrl: 'https://console.mistral.ai/api-keys',
    notes: 'Has a free plan.',
  },
  {
    id: 'cohere',
    name: 'Cohere',
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    model: 'command-a-03-2025',
    signupUrl: 'https://dashboard.cohere.com/api-keys',
    notes: 'Trial keys are free.',
  },
  {
    id: 'nvidia',
    name: 'NVIDIA NIM',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    model: 'meta/llama-3.3-70b-instruct',
    signupUrl: 'https://build.nvidia.com',
    notes: 'Free credits for developers.',
  },
  {
    id: 'github-models',
    name: 'GitHub Models',
    baseUrl: 'https://models.github.ai/inference',
    model: 'openai/gpt-4o-mini',
    signupUrl: 'https://github.com/settings/tokens',
    notes: 'Needs a token with the permission to read models.',
  },
  {
    id: 'cloudflare',
    name: 'Cloudflare Workers AI',
    baseUrl: `https://api.cloudflare.com/client/v4/accounts/${ACCOUNT}/ai/v1`,
    model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
    signupUrl: 'https://dash.cloudflare.com/profile/api-tokens',
    notes: 'Needs the id of the account as well as a key.',
    needsAccount: true,
  },
  {
    id: 'huggingface',
    name: 'Hugging Face',
    baseUrl: 'https://router.huggingface.co/v1',
    model: 'meta-llama/Llama-3.3-70B-Instruct',
    signupUrl: 'https://huggingface.co/settings/tokens',
    notes: 'Needs a token with the permission to call inference providers.',
  },
  {
    id: 'sambanova',
    name: 'SambaNova',
    baseUrl: 'https://api.sambanova.ai/v1',
    model: 'Meta-Llama-3.3-70B-Instruct',
    signupUrl: 'https://cloud.sambanova.ai/apis',
    notes: 'Fast, with free credits.',
  },
  {
    id: 'siliconflow',
    name: 'SiliconFlow',
    baseUrl: 'https://api.siliconflow.com/v1',
    model: 'Qwen/Qwen2.5-7B-Instruct',
    signupUrl: 'https://cloud.siliconflow.com/account/ak',
    notes: 'Some models are free.',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    model: 'llama3.2',
    signupUrl: '',
    notes: 'Runs on this machine; texts do not leave it.',
    local: true,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    model: 'local-model',
    signupUrl: '',
    notes: 'Runs on this machine; texts do not leave it.',
    local: true,
  },
  {
    id: CUSTOM,
    name: 'Custom server',
    baseUrl: '',
    model: '',
    signupUrl: '',
    notes: 'Any server with the OpenAI interface. The key is optional.',
  },
]

export const findProvider = (id: string): Provider | null => PROVIDERS.find((one) => one.id === id) ?? null
