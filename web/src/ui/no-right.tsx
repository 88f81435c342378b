// A page that a person's roles do not include, though its address leads there.
import { Lock } from '@/ui/icons';
import { Card, Page } from '@/ui/page';
import { Empty } from '@/ui/state';

export function NoRight({ title, what }: { title: string; what: string }) {
  return (
    <Page title={title}>
      <Card>
        <Empty title={`Your roles do not let you ${what}`} icon={<Lock size={20} />}>
          An administrator can give you a role in a project that does.
        </Empty>
      </Card>
    </Page>
  );
}
