// The built-in personalities: ready descriptions of a way to speak. The words of `instruct` are those that designed voices follow.
import type { Personality } from '../api.ts'

const row = (id: string, name: string, instruct: string, description: string, icon: string): Personality => ({
  id,
  name,
  instruct,
  description,
  icon,
})

export const PERSONALITIES: readonly Personality[] = [
  row('narrator', 'Narrator', 'male, middle-aged, low pitch', 'A calm voice for long texts.', '📖'),
  row('casual', 'Casual', 'female, young adult, moderate pitch', 'A relaxed voice for conversations.', '💬'),
  row('news_anchor', 'News anchor', 'male, middle-aged, moderate pitch', 'A clear voice for news.', '📰'),
  row('storyteller', 'Storyteller', 'female, middle-aged, moderate pitch', 'A warm voice for stories.', '🧚'),
  row('corporate', 'Corporate', 'female, middle-aged, low pitch', 'A composed voice for presentations.', '💼'),
  row('energetic', 'Energetic', 'male, young adult, high pitch', 'A lively voice for advertisements.', '⚡'),
  row(
    'audiobook_uk_narrator',
    'British audiobook narrator',
    'male, middle-aged, low pitch, british accent',
    'A British voice for books.',
    '🎧',
  ),
  row(
    'us_news_anchor',
    'American news anchor',
    'female, middle-aged, moderate pitch, american accent',
    'An American voice for news.',
    '🗽',
  ),
  row(
    'indian_support_agent',
    'Indian support agent',
    'female, young adult, moderate pitch, indian accent',
    'A friendly voice for support.',
    '🎓',
  ),
  row('gravelly_villain', 'Gravelly villain', 'male, elderly, very low pitch', 'A dark voice for characters.', '🦹'),
  row(
    'aussie_podcaster',
    'Australian podcaster',
    'male, young adult, moderate pitch, australian accent',
    'An easy voice for podcasts.',
    '🎙️',
  ),
  row('bedtime_storyteller', 'Bedtime storyteller', 'female, young adult, low pitch, whisper', 'A whisper for the evening.', '🌙'),
  row('mandarin_sichuan', 'Sichuan Mandarin', 'female, young adult, moderate pitch, 四川话', 'A voice with the dialect of Sichuan.', '🌶️'),
]
