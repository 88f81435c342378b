import { Page } from '@/ui/page';
export default function P() {
  return <Page title="x">x</Page>;
}
