# bash completion for diffcheck: what it offers is what diffcheck itself says, of its commands, options and ops.
_diffcheck() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=
  if [ "$prev" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  elif [ "$cur" = = ]; then
    cur=
  fi
  case $prev in
    --format) words='text tap junit jsonl html sarif' ;;
    --backend) words='sim cuda all' ;;
    --on) words='cpu cuda' ;;
    --arith) words='ieee cuda fast triton tf32 bf16 f16' ;;
    --kernel | --source | --input | --output | -o | --kernels | --got) compopt -o default; return ;;
  esac
  if [ -z "$words" ]; then
    if [ "$COMP_CWORD" -eq 1 ]; then
      words=$(diffcheck --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
    elif [[ $cur == -* ]]; then
      words=$(diffcheck "$command" --help 2>/dev/null | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
    else
      case $command in
        list | run | eval | judge | explain | new | bench)
          words=$(diffcheck list 2>/dev/null | sed -n '2,$s/ .*//p'); compopt -o default ;;
        *) compopt -o default ;;
      esac
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _diffcheck diffcheck
