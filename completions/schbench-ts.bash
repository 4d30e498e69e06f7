# bash completion for schbench-ts; made from its option tables.
_schbench_ts_words() { if [[ $1 == *=* ]]; then compopt -o nospace 2> /dev/null; fi; mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_schbench_ts_paths() { compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen "$1" -- "$cur"); }
_schbench_ts() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=run options="" words=""
  if [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $cur == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-1]}; cur=""; fi
  case "${COMP_WORDS[1]}" in
    run|ab|sweep|compare|parse|merge|validate|report|codegen|doctor|completions|help) if (( COMP_CWORD > 1 )); then command=${COMP_WORDS[1]}; fi ;;
  esac
  case "$command" in
    ab|sweep)
      local at
      for (( at = 2; at < COMP_CWORD; at++ )); do
        if [[ ${COMP_WORDS[at]} == "--" ]]; then command=run; fi
      done ;;
  esac
  case "$command" in
    run)
      case "$prev" in
        -m|--message-threads) COMPREPLY=(); return ;;
        -t|--threads) COMPREPLY=(); return ;;
        -M|--message-cpus) _schbench_ts_words "auto"; return ;;
        -W|--worker-cpus) _schbench_ts_words "auto"; return ;;
        --worker-sched) _schbench_ts_words "other batch idle ext fifo: rr: deadline: nice= slice= uclamp="; return ;;
        --message-sched) _schbench_ts_words "other batch idle ext fifo: rr: deadline: nice= slice= uclamp="; return ;;
        --worker-group) COMPREPLY=(); return ;;
        --message-cgroup) _schbench_ts_words "weight= max= uclamp= idle cpus="; return ;;
        --worker-cgroup) _schbench_ts_words "weight= max= uclamp= idle cpus="; return ;;
        -F|--cache-footprint|--cache_footprint) COMPREPLY=(); return ;;
        -n|--operations) COMPREPLY=(); return ;;
        -s|--sleep-usec|--sleep_usec) COMPREPLY=(); return ;;
        --split) COMPREPLY=(); return ;;
        -p|--pipe) COMPREPLY=(); return ;;
        -R|--rps) COMPREPLY=(); return ;;
        --pacing) _schbench_ts_words "paced burst"; return ;;
        -A|--auto-rps) COMPREPLY=(); return ;;
        -r|--runtime) COMPREPLY=(); return ;;
        -w|--warmuptime) COMPREPLY=(); return ;;
        -i|--intervaltime) COMPREPLY=(); return ;;
        -z|--zerotime) COMPREPLY=(); return ;;
        --load) _schbench_ts_words "none spin:4 duty:2:300/1000 wake:2 memory:1"; return ;;
        --load-cpus) COMPREPLY=(); return ;;
        --load-cgroup) _schbench_ts_words "weight= max= uclamp= idle cpus="; return ;;
        -j|--json) _schbench_ts_paths -f; return ;;
        -J|--jobname) COMPREPLY=(); return ;;
        --html) _schbench_ts_paths -f; return ;;
        --break) COMPREPLY=(); return ;;
        --engine) _schbench_ts_words "auto native v8"; return ;;
      esac
      options="-m --message-threads -t --threads -M --message-cpus -W --worker-cpus --worker-sched --message-sched --worker-group --unthrottled --message-cgroup --worker-cgroup -F --cache-footprint --cache_footprint -n --operations -s --sleep-usec --sleep_usec --split -L --no-locking -C --calibrate -p --pipe -R --rps --pacing -A --auto-rps -r --runtime -w --warmuptime -i --intervaltime -z --zerotime --load --load-cpus --load-cgroup -j --json -J --jobname --html --details --quiet --explain --fingerprint --break --engine -h --help -V --version --debug"
      words=""
      ;;
    ab)
      case "$prev" in
        --subject) COMPREPLY=(); return ;;
        --base) COMPREPLY=(); return ;;
        --flags) COMPREPLY=(); return ;;
        --env) COMPREPLY=(); return ;;
        --node) COMPREPLY=(); return ;;
        --launcher) COMPREPLY=(); return ;;
        --setup) COMPREPLY=(); return ;;
        --prepare) COMPREPLY=(); return ;;
        --teardown) COMPREPLY=(); return ;;
        --kernel) COMPREPLY=(); return ;;
        --vm) COMPREPLY=(); return ;;
        --append) COMPREPLY=(); return ;;
        --vm-file) COMPREPLY=(); return ;;
        --boots) COMPREPLY=(); return ;;
        --initrd) COMPREPLY=(); return ;;
        --boot-by) _schbench_ts_words "kexec systemd-boot grub"; return ;;
        --quiet-limit) COMPREPLY=(); return ;;
        --vary) _schbench_ts_words "m= t= M= W= worker-sched= message-sched= worker-group= unthrottled= message-cgroup= worker-cgroup= F= n= s= split= L= C= p= R= pacing= A= r= w= i= z= load-cpus= load-cgroup= details= quiet= explain= fingerprint= break= engine="; return ;;
        --runs) COMPREPLY=(); return ;;
        --until) _schbench_ts_words "decided"; return ;;
        --max-runs) COMPREPLY=(); return ;;
        --warmup-runs) COMPREPLY=(); return ;;
        --seed) COMPREPLY=(); return ;;
        -o|--store) _schbench_ts_paths -f; return ;;
        --status) _schbench_ts_paths -f; return ;;
        --on) COMPREPLY=(); return ;;
        --on-command) COMPREPLY=(); return ;;
        --nodes) COMPREPLY=(); return ;;
        --partition) COMPREPLY=(); return ;;
        --account) COMPREPLY=(); return ;;
        --sbatch) COMPREPLY=(); return ;;
        --print-job) _schbench_ts_words "kubernetes"; return ;;
        --image) COMPREPLY=(); return ;;
        --claim) COMPREPLY=(); return ;;
        --node-label) COMPREPLY=(); return ;;
        --pod-cpus) COMPREPLY=(); return ;;
        --primary) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --metrics) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --threshold) COMPREPLY=(); return ;;
        --blocks) _schbench_ts_words "machine boot file none"; return ;;
        --fail-on) _schbench_ts_words "worse better different"; return ;;
        --format) _schbench_ts_words "text mail markdown csv json junit tap github"; return ;;
        --html) _schbench_ts_paths -f; return ;;
      esac
      options="--subject --base --flags --env --node --launcher --setup --prepare --teardown --kernel --vm --append --vm-file --emulate --boots --reboot --initrd --boot-by --quiet-limit --plan --vary --large --runs --until --max-runs --warmup-runs --seed -o --store --elsewhere --quiet --status --on --on-command --nodes --partition --account --sbatch --print-job --image --claim --node-label --pod-cpus --privileged --primary --metrics --threshold --blocks --check --fail-on --bisect --format --html -h --help -V --version --debug"
      words=""
      ;;
    sweep)
      case "$prev" in
        --vary) _schbench_ts_words "m= t= M= W= worker-sched= message-sched= worker-group= unthrottled= message-cgroup= worker-cgroup= F= n= s= split= L= C= p= R= pacing= A= r= w= i= z= load-cpus= load-cgroup= details= quiet= explain= fingerprint= break= engine="; return ;;
        --subject) COMPREPLY=(); return ;;
        --flags) COMPREPLY=(); return ;;
        --env) COMPREPLY=(); return ;;
        --node) COMPREPLY=(); return ;;
        --launcher) COMPREPLY=(); return ;;
        --setup) COMPREPLY=(); return ;;
        --prepare) COMPREPLY=(); return ;;
        --teardown) COMPREPLY=(); return ;;
        --kernel) COMPREPLY=(); return ;;
        --vm) COMPREPLY=(); return ;;
        --append) COMPREPLY=(); return ;;
        --vm-file) COMPREPLY=(); return ;;
        --boots) COMPREPLY=(); return ;;
        --initrd) COMPREPLY=(); return ;;
        --boot-by) _schbench_ts_words "kexec systemd-boot grub"; return ;;
        --quiet-limit) COMPREPLY=(); return ;;
        --runs) COMPREPLY=(); return ;;
        --warmup-runs) COMPREPLY=(); return ;;
        --seed) COMPREPLY=(); return ;;
        -o|--store) _schbench_ts_paths -f; return ;;
        --on) COMPREPLY=(); return ;;
        --on-command) COMPREPLY=(); return ;;
        --nodes) COMPREPLY=(); return ;;
        --partition) COMPREPLY=(); return ;;
        --account) COMPREPLY=(); return ;;
        --sbatch) COMPREPLY=(); return ;;
        --print-job) _schbench_ts_words "kubernetes"; return ;;
        --image) COMPREPLY=(); return ;;
        --claim) COMPREPLY=(); return ;;
        --node-label) COMPREPLY=(); return ;;
        --pod-cpus) COMPREPLY=(); return ;;
        --primary) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --metrics) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --threshold) COMPREPLY=(); return ;;
        --blocks) _schbench_ts_words "machine boot file none"; return ;;
        --fail-on) _schbench_ts_words "worse better different"; return ;;
        --format) _schbench_ts_words "text mail markdown csv json junit tap github"; return ;;
        --html) _schbench_ts_paths -f; return ;;
      esac
      options="--vary --large --subject --flags --env --node --launcher --setup --prepare --teardown --kernel --vm --append --vm-file --emulate --boots --reboot --initrd --boot-by --quiet-limit --plan --runs --warmup-runs --seed -o --store --elsewhere --quiet --on --on-command --nodes --partition --account --sbatch --print-job --image --claim --node-label --pod-cpus --privileged --primary --metrics --threshold --blocks --check --fail-on --bisect --format --html -h --help -V --version --debug"
      words=""
      ;;
    compare)
      case "$prev" in
        --seed) COMPREPLY=(); return ;;
        --cell) COMPREPLY=(); return ;;
        --primary) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --metrics) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --threshold) COMPREPLY=(); return ;;
        --blocks) _schbench_ts_words "machine boot file none"; return ;;
        --fail-on) _schbench_ts_words "worse better different"; return ;;
        --format) _schbench_ts_words "text mail markdown csv json junit tap github"; return ;;
        --html) _schbench_ts_paths -f; return ;;
      esac
      options="--seed --cell --primary --metrics --threshold --blocks --check --fail-on --bisect --format --html -h --help -V --version --debug"
      words="@files"
      ;;
    parse)
      case "$prev" in
        --format) _schbench_ts_words "json ndjson text"; return ;;
      esac
      options="--format -h --help -V --version --debug"
      words="@files"
      ;;
    merge)
      case "$prev" in
        -o|--output) _schbench_ts_paths -f; return ;;
        --subject) COMPREPLY=(); return ;;
      esac
      options="-o --output --subject --force -h --help -V --version --debug"
      words="@files"
      ;;
    validate)
      case "$prev" in
        --reference) COMPREPLY=(); return ;;
        --ours) COMPREPLY=(); return ;;
        --envelope) COMPREPLY=(); return ;;
        --flags) COMPREPLY=(); return ;;
        --env) COMPREPLY=(); return ;;
        --node) COMPREPLY=(); return ;;
        --launcher) COMPREPLY=(); return ;;
        --setup) COMPREPLY=(); return ;;
        --prepare) COMPREPLY=(); return ;;
        --teardown) COMPREPLY=(); return ;;
        --axes) _schbench_ts_words "default t1 n0 storm-2x16 storm-2x16-1cpu storm-1x16 storm-1x16-1cpu storm-4x8 storm-4x8-1cpu pinned-4x256 s37 F64 F256 F1024 F4096 n1 n20 split0 split50 split100 s0 s500 m2 m4 t4 L C p4k p64k p1m R100-paced R100-burst R1000-paced R1000-burst A50"; return ;;
        --runs|--rounds) COMPREPLY=(); return ;;
        --runtime) COMPREPLY=(); return ;;
        --until-decided) COMPREPLY=(); return ;;
        --policy) _schbench_ts_words "by-round measured published"; return ;;
        --margin) COMPREPLY=(); return ;;
        --seed) COMPREPLY=(); return ;;
        -o|--store) _schbench_ts_paths -f; return ;;
        --from) _schbench_ts_paths -f; return ;;
        --format) _schbench_ts_words "markdown json"; return ;;
        --output) _schbench_ts_paths -f; return ;;
        --output-dir) _schbench_ts_paths -d; return ;;
        --causes) _schbench_ts_paths -f; return ;;
        --html) _schbench_ts_paths -f; return ;;
      esac
      options="--reference --ours --envelope --flags --env --node --launcher --setup --prepare --teardown --axes --quick --runs --rounds --runtime --fingerprint --until-decided --policy --margin --no-code --seed -o --store --elsewhere --quiet --from --format --output --output-dir --causes --html -h --help -V --version --debug"
      words=""
      ;;
    report)
      case "$prev" in
        -o|--output) _schbench_ts_paths -f; return ;;
        --title) COMPREPLY=(); return ;;
        --primary) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --metrics) _schbench_ts_words "wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p20 request-p50 request-p90 request-p99 request-p99.9 response-p99 rps-p50 average-rps transfer-ops transfer-bytes sched-delay message-voluntary-switches message-involuntary-switches message-migrations message-minor-faults message-user-time message-system-time message-instructions message-cycles message-wakeups message-crossing-wakeups message-system-calls message-futex-calls message-sleep-calls worker-voluntary-switches worker-involuntary-switches worker-migrations worker-minor-faults worker-user-time worker-system-time worker-instructions worker-cycles worker-wakeups worker-crossing-wakeups worker-system-calls worker-futex-calls worker-sleep-calls worker-created-by-message worker-beside-message-start worker-beside-message-mean worker-beside-message-end"; return ;;
        --threshold) COMPREPLY=(); return ;;
        --blocks) _schbench_ts_words "machine boot file none"; return ;;
        --seed) COMPREPLY=(); return ;;
      esac
      options="-o --output --title --primary --metrics --threshold --blocks --seed -h --help -V --version --debug"
      words="@files"
      ;;
    codegen)
      case "$prev" in
        --reference) COMPREPLY=(); return ;;
        --node) _schbench_ts_paths -f; return ;;
        --format) _schbench_ts_words "text json markdown"; return ;;
      esac
      options="--reference --node --format -h --help -V --version --debug"
      words=""
      ;;
    doctor)
      case "$prev" in
        --format) _schbench_ts_words "text json"; return ;;
      esac
      options="--format -h --help -V --version --debug"
      words=""
      ;;
    completions)
      options="-h --help -V --version --debug"
      words="bash zsh fish"
      ;;
    help)
      options="-h --help -V --version --debug"
      words="run ab sweep compare parse merge validate report codegen doctor completions help cycle cgroup load rate-mode pipe-mode pinning sched json comparing explain exit-codes environment"
      ;;
  esac
  if (( COMP_CWORD == 1 )); then words="run ab sweep compare parse merge validate report codegen doctor completions help"; fi
  if [[ $cur == -* ]]; then _schbench_ts_words "$options"
  elif [[ $words == "@files" ]]; then _schbench_ts_paths -f
  else _schbench_ts_words "$words"
  fi
}
complete -F _schbench_ts schbench-ts
