// The files of several runs, folder by folder.
import { useQueries } from '@tanstack/react-query';
import { api, type Schemas } from '@/api/client';
import type { Run } from '@/api/runs';

const MOST_FOLDERS = 30; // of each run
const MOST_FILES = 500;

export interface FileOf {
  path: string;
  bytes: number;
}

export interface FilesOf {
  files: FileOf[];
  /** There are more than were looked at. */
  more: boolean;
}

/** Every file below the run's folder, the upper folders first; not more than people look at. */
async function walk(id: string): Promise<FilesOf> {
  const found: FileOf[] = [];
  const folders = [''];
  let asked = 0;
  while (folders.length > 0 && asked < MOST_FOLDERS && found.length < MOST_FILES) {
    const folder = folders.shift() as string;
    asked++;
    const { files } = await api.get<Schemas['RunFileList']>(`/api/v1/runs/${id}/artifacts`, { path: folder });
    for (const file of files) {
      const path = folder ? `${folder}/${file.name}` : file.name;
      if (file.folder) folders.push(path);
      else found.push({ path, bytes: file.bytes });
    }
  }
  return { files: found, more: folders.length > 0 };
}

export const useAllFiles = (list: Run[]) =>
  useQueries({ queries: list.map((run) => ({ queryKey: ['run', 'all-files', run.id], queryFn: () => walk(run.id), retry: false, staleTime: 30_000 })) });
