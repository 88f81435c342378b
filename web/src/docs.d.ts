// Made from docs/ when the dashboard is built; see site/plugin.ts.
declare module 'virtual:docs' {
  export interface Chapter {
    slug: string;
    group: string;
    title: string;
    headings: { level: number; id: string; text: string }[];
    load: () => Promise<{ default: string }>;
  }
  export const chapters: Chapter[];
}
declare module 'virtual:docs/sections' {
  const sections: { slug: string; title: string; id: string; heading: string; text: string }[];
  export default sections;
}
