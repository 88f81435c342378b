// Dialogs of the pages: the page, the button or the entry that opens it, and the menu that the entry is in.
export const DIALOGS = [
  ['/projects', 'New project'],
  ['/projects', 'Edit…', 'Actions of vision'],
  ['/projects', 'Delete…', 'Actions of vision'],
  ['/departments', 'New department'],
  ['/users', 'Invite people'],
  ['/users', 'New temporary password…', 'Actions of ben@lab.example.org'],
  ['/applications', 'New application'],
  ['/roles', 'New role'],
  ['/access-rules', 'New access rule'],
  ['/policies', 'New policy'],
  ['/notifications', 'New rule'],
  ['/reservations', 'Reserve GPUs'],
  ['/reservations', 'Show', 'Actions of field-test'],
  ['/reservations', 'Delete…', 'Actions of field-test'],
  ['/node-pools', 'New node pool'],
  ['/nodes', 'Drain'],
  ['/nodes/node-1', 'Edit labels'],
  ['/environments', 'New environment'],
  ['/compute', 'New compute resource'],
  ['/data-sources', 'New data source'],
  ['/credentials', 'New credential'],
  ['/templates', 'New template'],
  ['/account', 'Change password'],
  ['/account', 'New token'],
  ['/reports/new', 'Add a chart'],
  ['/my-work', 'Search everything'],
];

export async function openDialog(page, name, menu) {
  if (menu) {
    await page.getByRole('button', { name: menu, exact: true }).first().click();
    await page.getByRole('menuitem', { name }).click();
  } else {
    await page.getByRole('button', { name }).first().click();
  }
  await page.locator('dialog[open]').waitFor();
}
