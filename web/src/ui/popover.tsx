import * as Radix from '@radix-ui/react-popover';
import type { ReactElement, ReactNode } from 'react';

export function Popover({ trigger, children, label }: { trigger: ReactElement; children: ReactNode; label: string }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" align="start" sideOffset={5} collisionPadding={8} aria-label={label}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
