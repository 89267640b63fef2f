/** Shapes in a box of 24 by 24, drawn with the color of the text. */
export const ICON_SHAPES = {
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm4.75 11.25L20 20',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  jobs: 'M12 4v10m0 0 4-4m-4 4-4-4M5 19h14',
  down: 'm7 10 5 5 5-5',
  plus: 'M12 5v14M5 12h14',
  blank: 'M7 3h7l4 4v14H7zM14 3v4h4M12.5 11v6M9.5 14h6',
  template: 'M4 5h16v5H4zM4 14h7v5H4zM15 14h5v5h-5z',
  text: 'M5 6h14M5 10h14M5 14h9M5 18h6',
  close: 'm7 7 10 10M17 7 7 17',
  undo: 'M9 7 5 11l4 4M5 11h9a5 5 0 0 1 0 10h-3',
  redo: 'm15 7 4 4-4 4M19 11h-9a5 5 0 0 0 0 10h3',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM11 18h2',
  reference:
    'M9 5H7a2 2 0 0 0-2 2v3l-2 2 2 2v3a2 2 0 0 0 2 2h2M15 5h2a2 2 0 0 1 2 2v3l2 2-2 2v3a2 2 0 0 1-2 2h-2M12 9v6M9 12h6',
  copy: 'M9 8h10v12H9zM15 8V4H5v12h4',
  map: 'M5 4h6v5H5zM13 15h6v5h-6zM8 9v8.5h5',
  file: 'M12 15V4m0 0L8 8m4-4 4 4M5 15v4h14v-4',
} as const;

export type IconName = keyof typeof ICON_SHAPES;
