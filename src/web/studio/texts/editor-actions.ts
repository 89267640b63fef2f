/** Apart from the texts of the editor, so that only the editor loads them. */
export const editorActionsTexts = {
  enlargePreview: 'Enlarge',
  closePreview: 'Close',
  newPageFromHere: 'New page from here',
  pageSplit: 'page split',
} as const;
