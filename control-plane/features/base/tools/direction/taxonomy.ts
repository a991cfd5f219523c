// The fixed words of a direction, and words of everyday language that mean them.

export const TAXONOMY = {
  energy: ['calm', 'relaxed', 'steady', 'energetic', 'urgent', 'frantic'],
  emotion: ['happy', 'sad', 'angry', 'surprised', 'fearful', 'neutral', 'warm', 'cold', 'hopeful', 'resigned'],
  pace: ['slow', 'measured', 'conversational', 'quick', 'rushed'],
  intimacy: ['whispered', 'intimate', 'conversational', 'projected', 'announcing'],
  formality: ['casual', 'neutral', 'formal', 'clinical'],
} as const
export type Dimension = keyof typeof TAXONOMY
export const DIMENSIONS = Object.keys(TAXONOMY) as Dimension[]
/** Values of the taxonomy by dimension, in the order of the taxonomy; dimensions without a value are absent. */
export type Tokens = Partial<Record<Dimension, string[]>>

/** Further words, by `dimension.value`. `neutral` and `conversational` are in two dimensions, and there only in the first one. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  'energy.calm': ['calmly', 'peaceful', 'quiet', 'quietly', 'serene', 'soothing', 'tranquil'],
  'energy.relaxed': ['chill', 'easygoing', 'laid-back', 'lazy', 'mellow', 'unhurried'],
  'energy.steady': ['composed', 'controlled', 'even', 'stable'],
  'energy.energetic': ['animated', 'dynamic', 'excited', 'enthusiastic', 'lively', 'upbeat', 'vigorous'],
  'energy.urgent': ['alarmed', 'insistent', 'intense', 'pressing', 'tense', 'urgently'],
  'energy.frantic': ['chaotic', 'desperate', 'hectic', 'hysterical', 'panicked', 'panicking', 'wild'],
  'emotion.happy': ['cheerful', 'cheery', 'delighted', 'glad', 'happily', 'joyful', 'playful', 'smiling'],
  'emotion.sad': ['crying', 'depressed', 'grieving', 'melancholy', 'mournful', 'sadly', 'sorrowful', 'tearful'],
  'emotion.angry': ['aggressive', 'angrily', 'annoyed', 'bitter', 'furious', 'hostile', 'irritated', 'mad'],
  'emotion.surprised': ['amazed', 'astonished', 'incredulous', 'shocked', 'startled', 'stunned'],
  'emotion.fearful': ['afraid', 'anxious', 'frightened', 'nervous', 'scared', 'terrified', 'worried'],
  'emotion.neutral': ['deadpan', 'flat', 'unemotional'],
  'emotion.warm': ['affectionate', 'caring', 'friendly', 'gentle', 'gently', 'kind', 'loving', 'tender', 'warmly'],
  'emotion.cold': ['aloof', 'coldly', 'detached', 'distant', 'icy', 'indifferent'],
  'emotion.hopeful': ['confident', 'encouraging', 'hopefully', 'inspiring', 'optimistic'],
  'emotion.resigned': ['defeated', 'exhausted', 'hopeless', 'sighing', 'tired', 'weary'],
  'pace.slow': ['drawn-out', 'lingering', 'slower', 'slowly'],
  'pace.measured': ['careful', 'carefully', 'deliberate', 'deliberately', 'thoughtful'],
  'pace.conversational': ['chatty', 'natural', 'naturally'],
  'pace.quick': ['brisk', 'fast', 'faster', 'quickly', 'rapid', 'snappy', 'swift'],
  'pace.rushed': ['breathless', 'hasty', 'hurried', 'hurry', 'rushing'],
  'intimacy.whispered': ['hushed', 'whisper', 'whispering', 'whispers'],
  'intimacy.intimate': ['close', 'confiding', 'personal', 'private', 'soft', 'softly'],
  'intimacy.projected': ['loud', 'loudly', 'shout', 'shouted', 'shouting', 'yelling'],
  'intimacy.announcing': ['announce', 'announcement', 'announcer', 'broadcast', 'newsreader'],
  'formality.casual': ['colloquial', 'informal', 'slang'],
  'formality.formal': ['ceremonial', 'dignified', 'official', 'polite', 'professional', 'respectful'],
  'formality.clinical': ['medical', 'objective', 'scientific', 'sterile', 'technical'],
}
