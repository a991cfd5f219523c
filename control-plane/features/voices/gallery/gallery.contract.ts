// The gallery: clips of voices that can become profiles.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import {
  ClipChanges,
  category,
  character,
  clipName,
  description,
  GalleryClip,
  MAX_DELETED,
  UploadForm,
  VideoResult,
} from './gallery.schema.ts'

const access = 'consume' as const
const params = z.strictObject({ voice_id: z.string().max(64) })
const done = z.literal(true)
const made = z.object({ success: done, profile_id: z.string(), name: z.string() }).meta({ id: 'GalleryProfile' })

export const galleryContracts = {
  categories: contract({
    id: 'gallery.listCategories',
    method: 'GET',
    path: '/gallery/categories',
    access,
    summary: 'An empty list: the categories of clips are free texts.',
    reply: z.array(z.string()),
  }),
  list: contract({
    id: 'gallery.listVoices',
    method: 'GET',
    path: '/gallery/voices',
    access,
    summary: 'Lists the newest clips. search looks for a part of the name, the character or the description.',
    query: z.strictObject({
      category: z.string().max(64).optional(),
      search: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.array(GalleryClip),
  }),
  read: contract({
    id: 'gallery.readVoice',
    method: 'GET',
    path: '/gallery/voices/{voice_id}',
    access,
    summary: 'Returns one clip.',
    params,
    reply: GalleryClip,
  }),
  change: contract({
    id: 'gallery.changeVoice',
    method: 'PATCH',
    path: '/gallery/voices/{voice_id}',
    access,
    of: { kind: 'clip', param: 'voice_id' },
    summary: 'Changes name, tags, is_favorite and description; absent fields and nulls stay. updated lists what was changed.',
    params,
    body: ClipChanges,
    reply: z.object({ success: done, updated: z.array(z.string()) }),
  }),
  remove: contract({
    id: 'gallery.removeVoice',
    method: 'DELETE',
    path: '/gallery/voices/{voice_id}',
    access,
    of: { kind: 'clip', param: 'voice_id' },
    summary: 'Deletes a clip. Profiles that were made from it keep their recording.',
    params,
    reply: z.object({ success: done }),
  }),
  removeMany: contract({
    id: 'gallery.removeVoices',
    method: 'POST',
    path: '/gallery/voices/batch-delete',
    access,
    summary: 'Deletes clips by a list of ids, at most 1,000; unknown ids are ignored.',
    body: z.strictObject({ ids: z.array(z.string().max(64)).max(MAX_DELETED) }),
    reply: z.object({ deleted: z.int(), failed: z.int().optional() }),
  }),
  upload: contract({
    id: 'gallery.upload',
    method: 'POST',
    path: '/gallery/upload',
    access,
    summary: 'Adds a recording of 0.5 to 60 seconds. WAV needs no program, every other format needs ffmpeg.',
    body: UploadForm,
    form: ['audio'],
    spooled: true,
    reply: z.object({ id: z.string(), name: z.string(), audio_path: z.string(), duration: z.number() }).meta({ id: 'GalleryUploaded' }),
  }),
  preview: contract({
    id: 'gallery.readPreview',
    method: 'GET',
    path: '/gallery/voices/{voice_id}/preview',
    access,
    summary: 'Returns the recording as it was uploaded if browsers play its format, otherwise as WAV.',
    params,
    media: ['audio/wav', 'audio/mpeg', 'audio/flac', 'audio/ogg'],
  }),
  saveAsProfile: contract({
    id: 'gallery.saveAsProfile',
    method: 'POST',
    path: '/gallery/voices/{voice_id}/save-as-profile',
    access,
    summary: 'Makes a new voice profile of a clip.',
    params,
    query: z.strictObject({ profile_name: clipName }),
    reply: z.object({ profile_id: z.string(), name: z.string() }),
  }),
  toProfile: contract({
    id: 'gallery.toProfile',
    method: 'POST',
    path: '/gallery/voices/{voice_id}/to-profile',
    access,
    summary: 'Returns the first voice profile of a clip, and makes it if there is none.',
    params,
    reply: made,
  }),
  searchVideos: contract({
    id: 'gallery.searchVideos',
    method: 'POST',
    path: '/gallery/search/youtube',
    access,
    summary: 'Searches a video site with yt-dlp. The words of the search leave this machine.',
    query: z.strictObject({
      query: z.string().max(200),
      category,
      max_results: z.coerce.number().int().min(1).max(20).default(5),
    }),
    reply: z.object({ results: z.array(VideoResult), query: z.string(), category: z.string() }),
  }),
  download: contract({
    id: 'gallery.downloadClip',
    method: 'POST',
    path: '/gallery/download',
    access,
    summary: 'Adds a part of the sound of a video page, with yt-dlp and ffmpeg. The clip is used on this machine only.',
    query: z.strictObject({
      video_url: z.string().max(2048),
      start_time: z.coerce.number().min(0).max(360_000).default(0),
      duration: z.coerce.number().min(1).max(30).default(10),
      character_name: character.refine((text) => text !== '', 'must not be blank'),
      category,
      description: description.default(''),
    }),
    reply: z
      .object({ success: done, voice_id: z.string(), audio_path: z.string(), duration: z.number() })
      .meta({ id: 'GalleryDownloaded' }),
  }),
}
